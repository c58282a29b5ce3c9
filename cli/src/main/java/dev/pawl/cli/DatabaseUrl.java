package dev.pawl.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL, read from what people write: a JDBC URL itself, {@code postgres://user:password@host/db} and the like, or
 * the name of an SQLite file.
 *
 * @param jdbc the JDBC URL
 * @param user given separately; null if the URL has it, or nobody does
 * @param password likewise
 */
record DatabaseUrl(
        String jdbc, @Nullable String user, @Nullable String password) {
    private static final String SQLITE = "jdbc:sqlite:";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");
    private static final String ACCEPTED =
            "write postgres://user:password@host/database, mysql://…, mariadb://…, the name"
                    + " of an SQLite file, or a JDBC URL of one of them";

    /**
     * @param source the option or variable that it comes from
     * @param text as it was given
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

    private static DatabaseUrl plain(String jdbc) {
        return new DatabaseUrl(jdbc, null, null);
    }

    private static DatabaseUrl network(String product, String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new UsageException("'" + shown(text) + "' is not a URL (" + e.getReason()
                    + "): characters of a password that are not letters or digits are written as %XX");
        }
        if (uri.getHost() == null) {
            throw new UsageException("'" + shown(text) + "' has no host: " + ACCEPTED);
        }
        String jdbc = "jdbc:" + product + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + (uri.getRawPath().isEmpty() ? "/" : uri.getRawPath())
                + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        // Separate from the URL: drivers do not agree on how to write a password there.
        String raw = uri.getRawUserInfo();
        if (raw == null) {
            return new DatabaseUrl(jdbc, null, null);
        }
        int colon = raw.indexOf(':');
        return colon < 0
                ? new DatabaseUrl(jdbc, decoded(raw), null)
                : new DatabaseUrl(jdbc, decoded(raw.substring(0, colon)), decoded(raw.substring(colon + 1)));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
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

    /** Without what may be secret. */
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

    /** {@return the SQLite file; null for a server, or for a file named only in SQLite's own notation} */
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

    /** {@return the URL without what may be secret} */
    String shown() {
        return shown(jdbc);
    }

    private static String shown(String url) {
        if (url.contains("(")) {
            return url.replaceAll("://.*", "://…"); // MySQL's address=(…)(password=…)
        }
        int at = url.lastIndexOf('@'); // a password may hold any character, even those that should be escaped
        int start = url.indexOf("://");
        String plain = at < 0 || start < 0 ? url : url.substring(0, start + 3) + url.substring(at + 1);
        return plain.replaceAll("\\?.*", "");
    }
}
