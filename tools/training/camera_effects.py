"""Effects of light, lens, sensor and phone software on a drawn scene."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.drawing.faces import FloatImage


def uneven_light(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Apply a light gradient over the table, sometimes with the edge of a shadow or the spot of a lamp."""
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
    """Apply random white balance, exposure, contrast and saturation, as set by a camera's automatic."""
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


def simulate_camera(canvas: FloatImage, rng: np.random.Generator, edge: float = 40.0) -> npt.NDArray[np.uint8]:
    """Apply the blur, noise, sharpening and JPEG compression of cameras; dice of `edge` pixels stay readable."""
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


_FAR_CASTS = (
    (0.3, (0.45, 0.8, 1.25)),  # tungsten taken for daylight
    (0.12, (0.28, 0.7, 1.2)),  # candles, sodium
    (0.24, (1.35, 0.98, 0.62)),  # daylight or a screen taken for tungsten
    (0.22, (0.82, 1.2, 0.75)),  # fluorescent tubes
    (0.12, (1.2, 0.72, 1.2)),  # coloured LEDs
)
"""Wrong white balance: its probability, and the gains of blue, green and red."""


def strong_colour_cast(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Apply a light whose colour the camera did not correct, weakly to fully."""
    gains = np.asarray(_FAR_CASTS[int(rng.choice(len(_FAR_CASTS), p=[share for share, _ in _FAR_CASTS]))][1])
    return np.asarray(canvas * (gains ** rng.uniform(0.5, 1.1)).astype(np.float32), np.float32)


def vignette(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Darken the corners."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    x, y = x - np.float32(rng.normal(0, 0.12)), y - np.float32(rng.normal(0, 0.12))
    fall = 1 / (1 + np.float32(rng.uniform(0.15, 0.9)) * (x * x + y * y) / 2) ** 2
    return np.asarray(canvas * fall[..., None], np.float32)


def ill_exposed(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Underexpose the image, or overexpose it so that pale objects lose their shading."""
    gain = rng.uniform(0.32, 0.6) if rng.random() < 0.6 else rng.uniform(1.25, 1.7)
    return np.asarray(canvas * np.float32(gain), np.float32)


def glare(canvas: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Add one to four bright patches over table and dice: reflections of lamps, a strip of sun, lens flare."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32) / np.float32(max(height, width))
    out = canvas
    tint = np.exp(rng.normal(0, 0.08, 3)).astype(np.float32)
    for _ in range(int(rng.integers(1, 5))):
        angle = rng.uniform(0, np.pi)
        c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
        u, v = x - np.float32(rng.uniform(0, 1)), y - np.float32(rng.uniform(0, 1))
        u, v = c * u + s * v, c * v - s * u
        long = np.float32(np.exp(rng.uniform(np.log(0.015), np.log(0.3))))
        wide = long * np.float32(rng.uniform(0.15, 1.0))
        if rng.random() < 0.65:
            patch = np.exp(-((u / long) ** 2) - (v / wide) ** 2)
        else:  # a window: uniform inside, with a more or less soft edge
            inside = np.minimum(long - np.abs(u), wide - np.abs(v))
            patch = np.clip(inside / np.float32(rng.uniform(0.004, 0.05)), 0, 1)
        # A wide flare stays faint, so that everything below it can be read.
        most = 1.2 if long < 0.06 else 0.35
        out = out + np.float32(rng.uniform(0.1, most)) * patch[..., None] * tint
    return np.asarray(np.minimum(out, 1.6), np.float32)


def portrait_blurred(canvas: FloatImage, kept: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Blur everything outside `kept` (coverage 0..1) and a margin around it, as in a portrait mode."""
    soft = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(1.5, 6)))
    margin = int(rng.integers(3, 14))
    shape = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * margin + 1,) * 2)
    sharp = cv2.GaussianBlur(cv2.dilate(kept, shape), (0, 0), float(rng.uniform(1, 5)))[..., None]
    return np.asarray(soft + (canvas - soft) * sharp, np.float32)


def _local_contrast(picture: FloatImage, rng: np.random.Generator) -> FloatImage:
    """Lift shadows and reduce highlights over wide areas and enhance detail, like the HDR mode of phones."""
    grey = np.asarray(picture.mean(2), np.float32)
    wide = cv2.GaussianBlur(cv2.resize(grey, None, fx=0.25, fy=0.25), (0, 0), float(rng.uniform(3, 12)))
    base = np.clip(cv2.resize(wide, (grey.shape[1], grey.shape[0])), 0.03, 1.0)
    level = base ** np.float32(rng.uniform(0.5, 0.9)) * np.float32(rng.uniform(0.85, 1.0))
    gain = np.minimum(level / base, 3.0) * (1 + np.float32(rng.uniform(0.0, 0.7)) * (grey - base) / base)
    return np.asarray(picture * np.clip(gain, 0.3, 3.0)[..., None], np.float32)


def _phone_noise(picture: FloatImage, rng: np.random.Generator, most: float) -> FloatImage:
    """Add fine luminance noise, and colour noise in blotches of some pixels."""
    height, width = picture.shape[:2]
    fine = rng.standard_normal((height, width, 1), dtype=np.float32) * np.float32(rng.uniform(0.0, most))
    part = int(rng.integers(2, 7))
    small = rng.standard_normal((height // part + 1, width // part + 1, 3), dtype=np.float32)
    blotches = cv2.resize(small - small.mean(2, keepdims=True), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(picture + fine + blotches * np.float32(rng.uniform(0.0, 1.3 * most)), np.float32)


def _denoised(picture: npt.NDArray[np.uint8], rng: np.random.Generator, edge: float) -> npt.NDArray[np.uint8]:
    """Smooth the image but keep edges: a bilateral or median filter, or one on the colours only."""
    pick = rng.random()
    if pick < 0.4:
        return np.asarray(cv2.bilateralFilter(picture, 5, float(rng.uniform(15, 45)), 2.5), np.uint8)
    if pick < 0.6 and edge > 24:
        return np.asarray(cv2.medianBlur(picture, 3 if edge < 50 else int(rng.choice([3, 5]))), np.uint8)
    split = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    split[..., 1:] = cv2.GaussianBlur(split[..., 1:], (0, 0), float(rng.uniform(1.0, max(1.1, min(4.0, edge / 12)))))
    return np.asarray(cv2.cvtColor(split, cv2.COLOR_YCrCb2BGR), np.uint8)


def simulate_phone(canvas: FloatImage, rng: np.random.Generator, edge: float = 40.0) -> npt.NDArray[np.uint8]:
    """Apply the effects of `simulate_camera` as a phone: denoising, local contrast, strong sharpening, JPEG, rescaling.

    The effects are limited so that dice of `edge` pixels stay readable.
    """
    height, width = canvas.shape[:2]
    pick = rng.random(6)
    blur = float(rng.uniform(0.4, max(0.5, min(1.2, 0.03 * edge))))
    out = np.asarray(cv2.GaussianBlur(canvas, (0, 0), blur), np.float32)
    if pick[0] < 0.1:
        length = float(rng.uniform(2, max(3.0, min(6.0, 0.12 * edge))))
        out = np.asarray(cv2.filter2D(out, -1, _motion_kernel(length, float(rng.uniform(0, np.pi)))), np.float32)
    if pick[1] < 0.45:
        out = _local_contrast(out, rng)
    out = _phone_noise(out, rng, min(0.035, 0.0009 * edge))
    picture = np.clip(out * 255, 0, 255).astype(np.uint8)
    if pick[2] < 0.7:
        picture = _denoised(picture, rng, edge)
    least = max(0.35, 14 / max(edge, 14.0))
    if pick[3] < 0.4 and least < 0.95:
        part = float(rng.uniform(least, 0.95))
        small = cv2.resize(picture, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        way = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST)[int(rng.choice(3, p=[0.5, 0.42, 0.08]))]
        picture = np.asarray(cv2.resize(small, (width, height), interpolation=way), np.uint8)
    if pick[4] < 0.7:
        soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.8, max(1.0, min(3.5, 0.05 * edge)))))
        amount = float(rng.uniform(0.6, 2.6))
        picture = np.asarray(cv2.addWeighted(picture, 1 + amount, soft, -amount, 0), np.uint8)
    if pick[5] < 0.85:
        sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420 if rng.random() < 0.8 else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444
        quality = int(rng.integers(22 if edge > 30 else 40, 92))
        jpeg_options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
        _, code = cv2.imencode(".jpg", picture, jpeg_options)
        picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return picture
