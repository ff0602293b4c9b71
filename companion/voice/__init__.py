"""Sound output: speech through espeak-ng and short tones."""
