package dev.pawl.cli;

import picocli.CommandLine.Command;

@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = "Set a limit, how long finished jobs are kept, or how jobs are claimed.",
        subcommands = {SetLimitCommand.class, SetRetentionCommand.class, SetStrategyCommand.class})
final class SetCommand {}
