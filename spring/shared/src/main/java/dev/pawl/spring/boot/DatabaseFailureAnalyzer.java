package dev.pawl.spring.boot;

import dev.pawl.api.DatabaseException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a database that cannot be reached, and a user that may not create tables, when the queue is opened. */
final class DatabaseFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, DatabaseException cause) {
        String message = cause.getMessage();
        if (message == null || !message.startsWith("cannot open the job queue")) {
            return null;
        }
        return new FailureAnalysis(Sentence.of(message), Sentence.of(action(cause)), cause);
    }

    private static String action(DatabaseException cause) {
        String state = cause.sqlException().getSQLState();
        if ("42501".equals(state) || ("42000".equals(state) && cause.sqlException().getErrorCode() == 1142)) {
            return "The start creates the tables of the job queue, and this user may not. Give it the right, or set"
                    + " pawl.migrate=false and create the tables as another user: pawl migrate, or a copy of"
                    + " 'pawl migrate --print' for your Flyway";
        }
        return "Check that the server runs, and spring.datasource.url, spring.datasource.username and"
                + " spring.datasource.password. To start without a job queue, set pawl.enabled=false";
    }
}
