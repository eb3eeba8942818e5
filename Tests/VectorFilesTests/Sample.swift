/// A small file of each format: everything in it is published, or made of it.
enum Sample {
    static let gcm = """
        # CAVS 14.0
        [Keylen = 256]
        [IVlen = 96]
        [PTlen = 128]
        [AADlen = 128]
        [Taglen = 128]

        Count = 0
        Key = 54e352ea1d84bfe64a1011096111fbe7668ad2203d902a01458c3bbd85bfce14
        IV = df7c3bca00396d0c018495d9
        CT = 426e0efc693b7be1f3018db7ddbb7e4d
        AAD = 7e968d71b50c1f11fd001f3fef49d045
        Tag = ee8257795be6a1164d7e1d2d6cac77a7
        PT = 85fc3dfad9b5a8d3258e4fc44571bd3b

        Count = 1
        Key = 9a0343f850a6427120f764789ffec6d237447b898fbf51d2182f065d3861497d
        IV = 3deef6f453dd70d92143adcd
        CT = e93165935ac18e3a2845d15fe31a9286
        AAD = dbb8226a624520863db6897017b2a4f8
        Tag = f5fc50d18766bc3d9e16dd136d45816b
        FAIL

        """

    static let hkdf = """
        COUNT = 1
        Hash = SHA-256
        IKM  = 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b
        salt = 000102030405060708090a0b0c
        info = f0f1f2f3f4f5f6f7f8f9
        L    = 42
        PRK  = 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5
        OKM  = 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
        """

    /// Case 1 of hmac_sha256_test.json, and the same with another code.
    static let hmac = """
        {"algorithm": "HMACSHA256", "schema": "mac_test_schema_v1.json", "numberOfTests": 2, "testGroups": [{"keySize": 256, "tagSize": 256, "tests": [
        {"tcId": 1, "key": "1e225cafb90339bba1b24076d4206c3e79c355805d851682bc818baa4f5a7779", "msg": "", \
        "tag": "b175b57d89ea6cb606fb3363f2538abd73a4c00b4a1386905bac809004cf1933", "result": "valid"},
        {"tcId": 2, "key": "1e225cafb90339bba1b24076d4206c3e79c355805d851682bc818baa4f5a7779", "msg": "", \
        "tag": "b175b57d89ea6cb606fb3363f2538abd73a4c00b4a1386905bac809004cf1934", "result": "invalid"}]}]}
        """

    static let sha = """
        #  CAVS 11.0
        #  "SHA-256 ShortMsg" information
        [L = 32]

        Len = 0
        Msg = 00
        MD = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

        Len = 8
        Msg = d3
        MD = 28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1
        """

    static let rfc4231 = """
        # Test Cases for HMAC-SHA256
        Len = 224
        # "Jefe"
        Key = 4a656665
        # "what do ya want for nothing?"
        Msg = 7768617420646f2079612077616e7420666f72206e6f7468696e673f
        MD = 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843
        """

    /// The same in the form of NIST's HMAC.rsp, whole and cut; and one of another hash.
    static let mac = """
        [L=20]

        Count = 0
        Klen = 1
        Tlen = 1
        Key = 00
        Msg = 00
        Mac = 00

        [L=32]

        Count = 0
        Klen = 4
        Tlen = 32
        Key = 4a656665
        Msg = 7768617420646f2079612077616e7420666f72206e6f7468696e673f
        Mac = 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843

        Count = 1
        Klen = 4
        Tlen = 10
        Key = 4a656665
        Msg = 7768617420646f2079612077616e7420666f72206e6f7468696e673f
        Mac = 5bdcc146bf60754e6a04
        """

    static let argon2id = """
        COUNT = 1
        length = 32
        lanes = 4
        iter = 3
        memcost = 32
        pass = 0101010101010101010101010101010101010101010101010101010101010101
        salt = 02020202020202020202020202020202
        output = 03aab965c12001c9d7d0d2de33192c0494b684bb148196d73c1df1acaf6d0c2e
        """
}
