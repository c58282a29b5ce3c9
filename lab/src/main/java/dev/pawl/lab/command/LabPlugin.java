package dev.pawl.lab.command;

import dev.pawl.cli.Plugin;

/** Puts {@code lab} beside the other commands of the program. */
public final class LabPlugin implements Plugin {
    /** For the service loader. */
    public LabPlugin() {}

    @Override
    public Object command() {
        return new LabCommand();
    }
}
