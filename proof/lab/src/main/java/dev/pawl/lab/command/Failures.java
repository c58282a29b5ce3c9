package dev.pawl.lab.command;

import dev.pawl.cli.UsageException;
import dev.pawl.servers.ServerException;
import java.io.IOException;
import java.sql.SQLException;

/** Reports user errors in one line, without a stack trace. */
final class Failures {
    private Failures() {}

    /** Work that depends on user input, files and databases. */
    interface Step<T> {
        T run() throws IOException, SQLException;
    }

    static <T> T reported(Step<T> step) {
        try {
            return step.run();
        } catch (IllegalArgumentException | IOException | SQLException | ServerException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
