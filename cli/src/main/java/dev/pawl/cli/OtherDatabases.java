package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The databases that a dashboard shows beside its first one. A database that cannot be reached at the start is left out. */
final class OtherDatabases implements AutoCloseable {
    /** Names that a dashboard accepts. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

    private final Map<String, DatabaseOptions.Session> sessions = new LinkedHashMap<>();

    /**
     * {@return the URLs of databases by their names} Opens no database. Messages do not repeat a malformed value, because it may contain a
     * password.
     *
     * @param option the option that contains the databases
     * @param given {@code NAME=URL}, or {@code NAME} for the environment's {@code PAWL_DB_NAME}
     * @param taken names of other databases
     */
    static Map<String, String> read(String option, List<String> given, String... taken) {
        Map<String, String> urls = new LinkedHashMap<>();
        for (String one : given) {
            int equals = one.indexOf('=');
            String name = equals < 0 ? one : one.substring(0, equals);
            if (!NAME.matcher(name).matches()) {
                throw new UsageException(
                        "a value of " + option + " is not valid: write NAME=URL, or NAME for the environment's"
                                + " PAWL_DB_NAME; a name has 1 to 40 letters, digits and . _ -");
            }
            if (List.of(taken).contains(name) || urls.containsKey(name)) {
                throw new UsageException("two databases have the name '" + name + "': see " + option
                        + (taken.length == 0 ? "" : " and --name"));
            }
            String url = equals < 0 ? fromEnvironment(option, name) : one.substring(equals + 1);
            DatabaseUrl unused = DatabaseUrl.of(option + " " + name, url);
            urls.put(name, url);
        }
        return urls;
    }

    /**
     * Opens existing databases.
     *
     * @param urls by name
     * @param opening opens the database with a name and URL
     * @param warnings receives the reason for each database that cannot be reached
     */
    static OtherDatabases open(
            Map<String, String> urls,
            BiFunction<String, String, DatabaseOptions.Session> opening,
            Consumer<String> warnings) {
        OtherDatabases all = new OtherDatabases();
        try {
            urls.forEach((name, url) -> {
                try {
                    all.sessions.put(name, opening.apply(name, url));
                } catch (DatabaseOptions.CannotConnect e) {
                    warnings.accept(leftOut(name, e));
                } catch (DatabaseException e) {
                    if (!e.isTransient()) {
                        throw e;
                    }
                    warnings.accept(leftOut(name, e));
                }
            });
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private static String leftOut(String name, RuntimeException why) {
        return "the database '" + name + "' is not shown until the dashboard is restarted: " + why.getMessage();
    }

    private static String fromEnvironment(String option, String name) {
        String variable = "PAWL_DB_" + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        String url = System.getenv(variable);
        if (url == null) {
            throw new UsageException(option + " " + name + " has no URL: write " + name + "=URL, or set " + variable
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
