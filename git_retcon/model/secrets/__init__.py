"""Finding secrets in a text: by their shapes and by their values, however they are written."""
