"""The true camera stack (picamera2 on libcamera) on libcamera's virtual camera, which shows a drawn tray."""
