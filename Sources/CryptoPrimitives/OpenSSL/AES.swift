/// The Advanced Encryption Standard (FIPS 197); ``AES/GCM`` is the one mode there is.
public enum AES {}
