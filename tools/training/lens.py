"""What light, lens and sensor do to a drawn scene: spots, shadows, casts, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing.faces import FloatImage


def uneven_light(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Gradient over the table, sometimes the edge of a shadow or the spot of a lamp."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.cos(angle) + y * np.sin(angle)
    light = 1 + float(rng.uniform(0, 0.5)) * along
    pick = rng.random()
    if pick < 0.2:
        edge = np.clip((along - rng.uniform(-0.4, 0.4)) / rng.uniform(0.01, 0.2), 0, 1)
        light = light * (1 - float(rng.uniform(0.2, 0.6)) * edge)
    elif pick < 0.32:
        far = (x - rng.uniform(-0.4, 0.4)) ** 2 + (y - rng.uniform(-0.4, 0.4)) ** 2
        light = light * (0.35 + float(rng.uniform(0.6, 1.4)) * np.exp(-far / rng.uniform(0.02, 0.3)))
    return np.asarray(canvas * light[..., None], np.float32)


def colour_cast(canvas: FloatImage, rng: np.random.Generator, strength: float = 0.10) -> FloatImage:
    """White balance, exposure, contrast and saturation as a camera's automatic chooses them, more or less well."""
    gains = np.exp(rng.normal(0, strength, 3) * np.array([1.0, 0.35, 1.0]))
    if rng.random() < 0.75:
        bright = float(np.percentile(canvas.mean(2)[::7, ::7], 90))
        gains = gains * (float(rng.uniform(0.5, 0.95)) / max(bright, 0.08)) ** float(rng.uniform(0.5, 1.0))
    else:
        gains = gains * np.exp(rng.normal(0.03, 0.2))
    out = np.clip(canvas * gains.astype(np.float32), 0, 1.6)
    grey = out.mean(2, keepdims=True)
    out = grey + (out - grey) * float(rng.uniform(0.75, 1.4))
    out = np.clip(out, 0, 1) ** float(np.exp(rng.normal(0, 0.2)))
    return np.asarray(out, np.float32)


def _motion_kernel(length: float, angle: float) -> FloatImage:
    size = int(length) | 1
    kernel = np.zeros((size, size), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    middle = np.array([size // 2, size // 2])
    start, end = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 1, cv2.LINE_AA)
    return np.asarray(kernel / max(float(kernel.sum()), 1e-6), np.float32)


def expose(canvas: FloatImage, rng: np.random.Generator, edge: float = 40.0) -> npt.NDArray[np.uint8]:
    """Blur, noise, sharpening and JPEG as cameras add them, never so much that dice of `edge` pixels are lost."""
    out: FloatImage = canvas
    blur = min(float(rng.gamma(1.2, 0.5)), 2.2, max(0.35, 0.05 * edge))
    if blur > 0.35:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), blur), np.float32)
    if rng.random() < 0.08:
        length = min(float(rng.uniform(3, 7)), max(3.0, 0.16 * edge))
        out = np.asarray(cv2.filter2D(out, -1, _motion_kernel(length, float(rng.uniform(0, np.pi)))), np.float32)
    sharp = rng.random() < 0.55
    grain = rng.standard_normal(out.shape, dtype=np.float32) * min(float(rng.gamma(1.5, 0.008)), 0.0012 * edge)
    if rng.random() < 0.3:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.7
    out = out + grain
    if sharp:
        soft = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.8, 1.8)))
        out = out + float(rng.uniform(0.3, 1.8)) * (out - soft)
    picture = np.clip(out * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 97))])
        picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return picture
