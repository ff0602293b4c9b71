"""Tests of the real camera stack (picamera2 on libcamera) with libcamera's virtual camera, which shows a rendered
tray."""
