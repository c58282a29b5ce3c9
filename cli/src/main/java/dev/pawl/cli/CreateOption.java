package dev.pawl.cli;

import picocli.CommandLine.Option;

/** Permission to create Pawl's tables on a server. */
final class CreateOption {
    @Option(
            names = "--create",
            description =
                    "On a server: create the tables if there are none, or bring them up to date, and say so. Files get"
                            + " theirs without it.")
    private boolean create;

    void applyTo(DatabaseOptions database) {
        if (create) {
            database.createOnServers();
        }
    }
}
