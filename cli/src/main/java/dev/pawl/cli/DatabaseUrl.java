package dev.pawl.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL, parsed from a JDBC URL, from {@code postgres://user:password@host/db} and the like, or from the name of
 * an SQLite file.
 *
 * @param jdbc the JDBC URL
 * @param user given separately; null if it is part of the URL, or missing
 * @param password likewise
 */
record DatabaseUrl(
        String jdbc, @Nullable String user, @Nullable String password) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");
    /**
     * The user part ends at the last {@code @} before the query, so a password may contain {@code /} and {@code @}. Not
     * parsed as a URI, which rejects host names with an underscore, as containers often have.
     */
    private static final Pattern NETWORK = Pattern.compile(
            "[^:]+://(?:(?<user>[^?]*)@)?(?<hosts>[^/?@\\s]*)" + "(?<path>/[^?\\s]*)?(?<query>\\?\\S*)?");

    private static final String HOST = "(\\[[0-9A-Fa-f:.%]+\\]|[\\p{L}\\p{N}._-]+)(:[0-9]{1,5})?";
    private static final Pattern HOSTS = Pattern.compile(HOST + "(," + HOST + ")*");
    private static final String ACCEPTED =
            "write postgres://user:password@host/database, mysql://…, mariadb://…, the name"
                    + " of an SQLite file, or a JDBC URL of one of them";

    /**
     * @param source the option or variable that contains it
     * @param text as given
     */
    static DatabaseUrl of(String source, String text) {
        if (text.isBlank()) {
            throw new UsageException(source + " is empty: " + ACCEPTED);
        }
        String scheme = SCHEME.matcher(text).matches()
                ? text.substring(0, text.indexOf(':')).toLowerCase(Locale.ROOT)
                : "";
        DatabaseUrl url = switch (scheme) {
            case "jdbc" -> plain(text);
            case "postgres", "postgresql" -> network("postgresql", text);
            case "mysql", "mariadb" -> network(scheme, text);
            case "sqlite" -> plain(SQLITE + text.substring(7).replaceFirst("^//", ""));
            case "" -> plain(SQLITE + text);
            default -> throw new UsageException("'" + shown(text) + "' is not a database: " + ACCEPTED);
        };
        if (url.isMemory()) {
            throw new UsageException("a database in memory ends with this command, and its jobs with it: name a file");
        }
        return url;
    }

    boolean isPostgres() {
        return jdbc.regionMatches(true, 0, "jdbc:postgresql:", 0, 16);
    }

    private static DatabaseUrl plain(String jdbc) {
        return new DatabaseUrl(jdbc, null, null);
    }

    private static DatabaseUrl network(String product, String text) {
        Matcher url = NETWORK.matcher(text);
        if (!url.matches()) {
            throw new UsageException("'" + shown(text) + "' is not a URL: " + ACCEPTED);
        }
        String hosts = url.group("hosts");
        if (hosts.isEmpty()) {
            throw new UsageException("'" + shown(text) + "' has no host: " + ACCEPTED);
        }
        if (!HOSTS.matcher(hosts).matches()) {
            throw new UsageException("the host of '" + shown(text)
                    + "' is not valid: write HOST or HOST:PORT, and a ? in" + " a password as %3F");
        }
        String path = url.group("path");
        String query = url.group("query");
        String jdbc = "jdbc:" + product + "://" + hosts + (path == null ? "/" : path) + (query == null ? "" : query);
        // Separate from the URL, because drivers disagree on how to encode a password there.
        String user = url.group("user");
        if (user == null) {
            return new DatabaseUrl(jdbc, null, null);
        }
        int colon = user.indexOf(':');
        return colon < 0
                ? new DatabaseUrl(jdbc, decoded(user), null)
                : new DatabaseUrl(jdbc, decoded(user.substring(0, colon)), decoded(user.substring(colon + 1)));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message contains the password
            throw new UsageException("the user or password of the database is not valid: a % in it is written as %25");
        }
    }

    /** {@return a plain connection} */
    Connection connect() throws SQLException {
        Properties properties = new Properties();
        if (user != null) {
            properties.put("user", user);
        }
        if (password != null) {
            properties.put("password", password);
        }
        return DriverManager.getConnection(jdbc, properties);
    }

    /** Excludes parts that may be secret. */
    @Override
    public String toString() {
        return shown();
    }

    private boolean isMemory() {
        if (!jdbc.startsWith(SQLITE)) {
            return false;
        }
        String file = jdbc.substring(SQLITE.length());
        return file.isEmpty() || file.startsWith("?") || file.contains(":memory:") || file.contains("mode=memory");
    }

    /** {@return the SQLite file; null for a server, or for a file named in SQLite's own URI notation} */
    @Nullable
    Path file() {
        if (!jdbc.startsWith(SQLITE)) {
            return null;
        }
        String file = jdbc.substring(SQLITE.length()).replaceAll("\\?.*", "");
        return file.startsWith("file:") || file.startsWith(":") ? null : Path.of(file);
    }

    /** {@return the name of the product: the part after jdbc:} */
    String product() {
        int end = jdbc.indexOf(':', 5);
        return jdbc.startsWith("jdbc:") && end > 5 ? jdbc.substring(5, end) : "";
    }

    /** {@return the URL without parts that may be secret} */
    String shown() {
        return user == null ? shown(jdbc) : withoutQuery(jdbc); // a separately given user is not in the URL
    }

    private static String shown(String url) {
        if (url.contains("(")) {
            return url.replaceAll("://.*", "://…"); // MySQL's address=(…)(password=…)
        }
        int at = url.startsWith(SQLITE) ? -1 : url.lastIndexOf('@'); // a password may contain any character
        int start = url.indexOf("://");
        String plain = at < 0
                ? url
                : start < 0
                        ? url.substring(0, url.indexOf(':') + 1) + "…" + url.substring(at)
                        : url.substring(0, start + 3) + url.substring(at + 1);
        return withoutQuery(plain);
    }

    private static String withoutQuery(String url) {
        return url.replaceAll("\\?.*", "");
    }
}
