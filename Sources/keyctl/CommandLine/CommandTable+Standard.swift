extension CommandTable {
    /// Every command of this program, in the order the help lists them.
    static let standard = CommandTable(commands: [
        InitCommand.row, UnlockCommand.row, LockCommand.row, StatusCommand.row,
        ConfigGetCommand.row, ConfigSetCommand.row,
        DeviceNewCommand.row, DeviceShowCommand.row, DeviceEnrollCommand.row, DeviceListCommand.row,
        DeviceRemoveCommand.row,
        ProvisionCommand.row, MemberAddCommand.row, MemberRemoveCommand.row,
        BundleCommand.row, BundleAckCommand.row, AcceptCommand.row,
        RotateCommand.row, PromoteCommand.row, SuspendCommand.row, ResumeCommand.row, RevokeCommand.row,
        RetireCommand.row, DestroyCommand.row, CensusCommand.row, ListCommand.row, ShowCommand.row,
        SealCommand.row, OpenCommand.row, InspectCommand.row, SimulateCommand.row,
        AttachmentSealCommand.row, AttachmentOpenCommand.row,
        SplitExportCommand.row, SplitAddCommand.row, SplitAllowCommand.row, SplitDenyCommand.row,
        AuditShowCommand.row, AuditVerifyCommand.row, AuditCheckpointCommand.row,
        BackupCommand.row, RestoreCommand.row, RewrapCommand.row, MigrateCommand.row,
        TelemetryCommand.row, KatCommand.row, CompletionsCommand.row, ManCommand.row,
    ])
}
