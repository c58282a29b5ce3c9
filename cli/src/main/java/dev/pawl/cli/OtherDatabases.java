package dev.pawl.cli;

import dev.pawl.JobQueue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/** The databases that a dashboard shows beside its first one. */
final class OtherDatabases implements AutoCloseable {
    private final Map<String, DatabaseOptions.Session> sessions = new LinkedHashMap<>();

    /**
     * Opens existing databases.
     *
     * @param given {@code NAME=URL}, or {@code NAME} for the environment's {@code PAWL_DB_NAME}
     * @param first whose table prefix and schema the others have, too
     * @param connections of each
     */
    static OtherDatabases open(List<String> given, DatabaseOptions first, int connections) {
        OtherDatabases all = new OtherDatabases();
        try {
            for (String one : given) {
                int equals = one.indexOf('=');
                String name = equals < 0 ? one : one.substring(0, equals);
                String url = equals < 0 ? fromEnvironment(name) : one.substring(equals + 1);
                if (all.sessions.containsKey(name)) {
                    throw new UsageException("--also names two databases '" + name + "'");
                }
                all.sessions.put(name, first.openBeside(url, connections));
            }
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private static String fromEnvironment(String name) {
        String variable = "PAWL_DB_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        String url = System.getenv(variable);
        if (url == null) {
            throw new UsageException("--also " + name + " has no URL: write " + name + "=URL, or set " + variable
                    + " in the environment");
        }
        return url;
    }

    void forEach(BiConsumer<String, JobQueue> action) {
        sessions.forEach((name, session) -> action.accept(name, session.queue()));
    }

    @Override
    public void close() {
        sessions.values().forEach(DatabaseOptions.Session::close);
    }
}
