"""Text: normalisation, words, sentences, stems: one place, used by all rooms."""
