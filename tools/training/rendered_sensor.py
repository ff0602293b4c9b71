"""Camera effects on traced light: denoising, white balance, exposure, noise, sharpening and JPEG."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from tools.training.rendered_dice import Floats, Points
from vision.pictures import Picture

_DARK = np.float32(1e-3)


def denoise(light: Floats, albedo: Floats, lifted: Floats, paths: npt.NDArray[np.int64]) -> Floats:
    """Return traced light (H, W, 3) with less noise of the path tracer. Denoises the irradiance, not the paint.

    The ground, where nothing is `lifted` (H, W; 0..1), is smoothed more than the dice. `paths` (H, W): weight of each
    pixel.
    """
    paint = np.maximum(albedo, np.float32(0.02))
    falling = np.asarray(light / paint, np.float32)
    dice = np.exp(cv2.bilateralFilter(np.log(np.maximum(falling, _DARK)), 5, 0.3, 1.2))
    weight = (paths * (1 - lifted) ** 4 + _DARK).astype(np.float32)[..., None]
    usual = np.median(falling[::3, ::3].reshape(-1, 3), 0) * 6
    sums = cv2.GaussianBlur(np.minimum(falling, usual).astype(np.float32) * weight, (0, 0), 2.2)
    ground = sums / cv2.GaussianBlur(weight, (0, 0), 2.2)[..., None]
    share = lifted[..., None]
    return np.asarray((dice * share + ground * (1 - share)) * paint, np.float32)


def develop(light: Floats, lit: Points, rng: np.random.Generator, dimmed: float = 1.0) -> Picture:
    """Return a camera's image (H, W, 3; blue, green, red) of light (red, green, blue).

    - `lit`: the lamps' colour there.
    - `dimmed`: exposure relative to the camera's automatic.

    The same generator state gives the same camera.
    """
    height, width = light.shape[:2]
    balance = (lit / lit[1]) ** -float(rng.uniform(0.65, 1.0)) * np.exp(rng.normal(0, 0.04, 3))
    raw = light * balance
    y, x = np.mgrid[:height, :width].astype(np.float32)
    far = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * np.float32(rng.uniform(0.0, 0.7))
    raw = raw * (1 - far)[..., None]
    bright = float(np.percentile(raw[::4, ::4].max(2), 97))
    middle = float(np.median(raw[::4, ::4].mean(2)))
    gain = min(float(rng.uniform(0.6, 1.05)) / max(bright, 1e-6), float(rng.uniform(0.18, 0.5)) / max(middle, 1e-6))
    raw = np.asarray(cv2.GaussianBlur((raw * gain * dimmed).astype(np.float32), (0, 0), float(rng.uniform(0.35, 0.9))))
    weak = float(np.exp(rng.uniform(np.log(0.0006), np.log(0.006))))
    noise = rng.standard_normal(raw.shape, dtype=np.float32) * np.sqrt(weak * np.clip(raw, 0, 1) * 0.6 + weak**2 * 4)
    noise = cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(0.4, 0.8))) * np.float32(1.3)
    return _compressed(_toned(raw + noise, rng), rng)


def _toned(raw: Floats, rng: np.random.Generator) -> Floats:
    """Return light as screen values 0..1: a soft shoulder, random contrast and saturation, sharpened edges."""
    shoulder = np.where(raw > 0.8, 0.8 + 0.2 * np.tanh((raw - 0.8) / 0.3), raw)
    clipped = np.clip(shoulder, 0, 1)
    tones = np.where(clipped < 0.0031308, clipped * 12.92, 1.055 * np.maximum(clipped, _DARK) ** (1 / 2.4) - 0.055)
    contrast = float(rng.uniform(0.0, 0.45))
    tones = tones + contrast * (tones * tones * (3 - 2 * tones) - tones)
    grey = tones.mean(2, keepdims=True)
    tones = (grey + (tones - grey) * float(rng.uniform(0.85, 1.3))).astype(np.float32)
    soft = cv2.GaussianBlur(tones, (0, 0), float(rng.uniform(0.8, 1.6)))
    return np.asarray(tones + float(rng.uniform(0.0, 1.2)) * (tones - soft), np.float32)


def _compressed(tones: Floats, rng: np.random.Generator) -> Picture:
    picture = np.clip(tones[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(62, 97))])
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
