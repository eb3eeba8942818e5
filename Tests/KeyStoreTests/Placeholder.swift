// placeholder while the package is laid out
