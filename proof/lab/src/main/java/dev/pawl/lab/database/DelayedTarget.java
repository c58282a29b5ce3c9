package dev.pawl.lab.database;

import java.io.IOException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that seems to be on another machine: its clients connect to it through a {@link DelayLine}.
 *
 * @param server the server itself
 * @param millis delay in each direction
 */
record DelayedTarget(Target server, int millis) implements Target {
    private static final int MAX_MILLIS = 1000;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})ms@(.+)");
    private static final Pattern ADDRESS =
            Pattern.compile("(jdbc:[a-z]+://(?:[^@/?,()]*@)?)(\\[[^]]+]|[^:/?,()]*)(?::(\\d{1,5}))?([/?].*)?");
    private static final Map<String, Integer> PORTS = Map.of("postgresql", 5432, "mysql", 3306, "mariadb", 3306);

    static boolean isDelayed(String text) {
        return TEXT.matcher(text).matches();
    }

    static DelayedTarget of(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(Secrets.hidden(text) + " has no delay such as 1ms@");
        }
        int millis = Integer.parseInt(parts.group(1));
        if (millis < 1 || millis > MAX_MILLIS) {
            throw new IllegalArgumentException(
                    "a delay of " + millis + " ms is not valid: use 1ms@ to " + MAX_MILLIS + "ms@");
        }
        Target server = Target.of(parts.group(2));
        if (server.product().equals("sqlite")) {
            throw new IllegalArgumentException("SQLite has no server that could be far away: use no delay");
        }
        return new DelayedTarget(server, millis);
    }

    @Override
    public String product() {
        return server.product();
    }

    @Override
    public String name() {
        return server.name() + " (" + millis + " ms each way)";
    }

    @Override
    public ServerLocation location() {
        return server.location();
    }

    @Override
    public Scratch scratch() throws SQLException {
        Scratch near = server.scratch();
        try {
            Matcher parts = ADDRESS.matcher(near.url());
            if (!parts.matches()) {
                throw new SQLException("a delay needs a URL with one host: " + Secrets.place(near.url()));
            }
            String host = parts.group(2).isEmpty() ? "localhost" : parts.group(2);
            int port = parts.group(3) == null ? PORTS.getOrDefault(product(), 0) : Integer.parseInt(parts.group(3));
            DelayLine line = DelayLine.open(InetAddress.getByName(host), port, Duration.ofMillis(millis));
            String rest = parts.group(4) == null ? "" : parts.group(4);
            return new Scratch(near.product(), parts.group(1) + "127.0.0.1:" + line.port() + rest, near.ours(), () -> {
                line.close();
                near.close();
            });
        } catch (IOException | SQLException e) {
            near.close();
            throw e instanceof SQLException own ? own : new SQLException("cannot delay " + name(), e);
        }
    }
}
