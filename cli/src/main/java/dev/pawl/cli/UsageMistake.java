package dev.pawl.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in words. */
final class UsageMistake {
    private UsageMistake() {}

    static String words(ParameterException error) {
        CommandLine command = error.getCommandLine();
        CommandSpec spec = command.getCommandSpec();
        if (HelpPage.isVerb(spec)) {
            String what = "give what to " + spec.name() + ": pawl " + Main.path(command)
                    + String.join("|", spec.subcommands().keySet());
            return error instanceof UnmatchedArgumentException unmatched
                    ? "'" + Texts.cut(unmatched.getUnmatched().get(0)) + "' is none of them; " + what
                    : what;
        }
        return String.valueOf(error.getMessage())
                .replaceAll(
                        "('[+-]?[0-9]{10,}') is not an? (int|long)$",
                        "$1 is out of range; 'pawl " + Main.path(command) + "--help' tells what is valid")
                .replaceAll("is not an? (int|long)$", "is not a whole number");
    }
}
