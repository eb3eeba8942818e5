import KeyStore

extension Invocation {
    /// Changes the devices of a sealer store, and with them the conversations that they are members of, which may be many.
    /// - Parameter change: is handed what it asks between two transactions, with how many conversations are done.
    func changeMemberships(_ change: (SealerStore, (Int) -> Bool) throws -> Report) throws -> Report {
        let rest = "what is done stays; repeat it for the rest, in which nothing is sealed until then"
        return try LongJob.run(self, "conversations", hint: isDryRun ? LongJob.startsAnew : rest) { goesOn in
            try withoutActuallyEscaping(goesOn) { goesOn in
                try self.change(viewing: DeviceView.firstPage(of:)) { (sealer: SealerStore) in
                    try change(sealer, goesOn)
                }
            }
        }
    }
}
