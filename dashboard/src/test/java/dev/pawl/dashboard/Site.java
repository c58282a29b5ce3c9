package dev.pawl.dashboard;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A dashboard on its own database behind a real HTTP server, with a browser's side of the conversation. */
final class Site implements AutoCloseable {
    /** How long a test waits for an expected event, even on a heavily loaded machine. */
    static final java.time.Duration SOON = java.time.Duration.ofSeconds(60);

    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

    static {
        // Lets tests set the Host header; the property is read when the first client is created.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private final TestServer on;
    private final TestDatabase database;
    private final HikariDataSource pool;
    private final ConnectionGate gate = new ConnectionGate();
    private final JobQueue queue;
    private final Dashboard dashboard;
    private final DashboardServer server;
    private final String prefix;
    private final HttpClient client = HttpClient.newHttpClient();

    Site(TestServer on, String prefix, UnaryOperator<DashboardBuilder> options) {
        this.on = on;
        this.database = Databases.take(on);
        this.pool = database.newDataSource(6);
        this.queue = JobQueue.open(gate.around(pool));
        this.dashboard = options.apply(Dashboard.on(queue)).build();
        this.prefix = prefix;
        try {
            this.server = DashboardServer.start(
                    dashboard, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), prefix);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Site onSqlite(UnaryOperator<DashboardBuilder> options) {
        return new Site(dev.pawl.servers.TestServers.sqlite(), "", options);
    }

    JobQueue queue() {
        return queue;
    }

    /** Simulates a lost database. */
    void loseTheDatabase() {
        pool.close();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Simulates a hanging database until the gate is opened. */
    ConnectionGate gate() {
        return gate;
    }

    /** For other processes. */
    String jdbcUrl() {
        return database.jdbcUrl();
    }

    Dashboard dashboard() {
        return dashboard;
    }

    String url() {
        return "http://localhost:" + server.port() + prefix;
    }

    int port() {
        return server.port();
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Reloads, as people do, while a page says that something is still being counted. */
    HttpResponse<String> get(String path, String... headers) {
        HttpResponse<String> page = send("GET", path, "", headers);
        for (int i = 0; i < 200 && page.body().contains("reload in a moment"); i++) {
            page = send("GET", path, "", headers);
        }
        return page;
    }

    /** Loads a page with a form, and submits the form with these fields, as a browser does. */
    HttpResponse<String> submit(String page, String action, Map<String, String> fields) {
        return submit(page, action, fields, "");
    }

    HttpResponse<String> submit(String page, String action, Map<String, String> fields, String cookie) {
        HttpResponse<String> shown = cookie.isEmpty() ? get(page) : get(page, "Cookie", cookie);
        String browser = setCookie(shown, "pawl_browser");
        Matcher csrf = CSRF.matcher(shown.body());
        if (!csrf.find()) {
            throw new AssertionError("no form on " + page + ":\n" + shown.body());
        }
        Map<String, String> all = new java.util.TreeMap<>(fields);
        all.put("csrf", csrf.group(1));
        return send(
                "POST",
                action,
                form(all),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Origin",
                "http://localhost:" + server.port(),
                "Cookie",
                browser + (cookie.isEmpty() ? "" : "; " + cookie));
    }

    static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** {@return {@code name=value} as the response sets it} */
    static String setCookie(HttpResponse<String> response, String name) {
        return response.headers().allValues("set-cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .map(cookie -> cookie.replaceFirst(";.*", ""))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no cookie " + name + " in " + response.headers()));
    }

    @Override
    public void close() {
        gate.open();
        dashboard.close();
        server.close();
        queue.close();
        pool.close();
        Databases.giveBack(on, database);
    }
}
