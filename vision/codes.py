"""QR codes in pictures of the camera."""

from __future__ import annotations

import cv2

from vision.picture_headers import PictureRefused
from vision.pictures import Damaged, decode_upright


def read_qr_code(picture: bytes) -> str:
    """Return the text of the QR code in a JPEG or PNG picture; empty if there is none that can be read."""
    try:
        text, _, _ = cv2.QRCodeDetector().detectAndDecode(decode_upright(picture))
    except (PictureRefused, Damaged, cv2.error, UnicodeDecodeError):  # cv2: some patterns that look like a code
        return ""
    return text
