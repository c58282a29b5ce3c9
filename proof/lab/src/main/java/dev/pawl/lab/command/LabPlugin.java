package dev.pawl.lab.command;

import dev.pawl.cli.Plugin;

/** Adds {@code lab} to the commands of the program. */
public final class LabPlugin implements Plugin {
    /** For the service loader. */
    public LabPlugin() {}

    @Override
    public Object command() {
        return new LabCommand();
    }
}
