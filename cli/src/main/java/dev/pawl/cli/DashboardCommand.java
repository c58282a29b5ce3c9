package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.DashboardBuilder;
import dev.pawl.dashboard.DashboardServer;
import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.alert.Alerts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        description = {
            "Show the queue in a browser, and operate it, until it is stopped (Ctrl-C). Without a token it is for this machine",
            "only. Tokens may also be given by PAWL_DASHBOARD_TOKEN and PAWL_DASHBOARD_READ_TOKEN. See docs/guides/dashboard.md."
        })
final class DashboardCommand extends CliCommand implements ShardPlaced {
    private static final int CONNECTIONS = 5;

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            defaultValue = "8088",
            description =
                    "Where to listen. Without HOST: this machine only; 0.0.0.0:PORT for every address. Port 0 for any free one."
                            + " Default: ${DEFAULT-VALUE}")
    private String listen = "8088";

    @Option(
            names = "--prefix",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Path under which a proxy serves it, such as /pawl. Default: none")
    private String prefix = "";

    @Option(
            names = "--host",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Names by which browsers reach it, such as pawl.example.com; needs a token. Default: localhost; any with a token")
    private String[] hosts = {};

    @Option(names = "--read-only", description = "Forbid all changes.")
    private boolean readOnly;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token for users who may change things: 16 characters or more.")
    private @Nullable Path tokenFile;

    @Option(names = "--read-token-file", paramLabel = "FILE", description = "File with the token for read-only users.")
    private @Nullable Path readTokenFile;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description =
                    "File with a text of 16 characters or more that several processes at one address share, so that a"
                            + " login at one is valid at all of them. Also PAWL_DASHBOARD_SECRET. Default: none; after a"
                            + " restart, people log in again")
    private @Nullable Path secretFile;

    @Option(
            names = "--proxy",
            split = ",",
            paramLabel = "ADDRESS",
            description =
                    "Addresses of proxies whose header X-Forwarded-Proto is trusted: cookies are then for HTTPS only. Default: none")
    private String[] proxies = {};

    @Option(
            names = "--no-samples",
            description =
                    "Do not sample the queues for charts; show the samples of other processes. Needed for read-only database access.")
    private boolean noSamples;

    @Option(
            names = "--link",
            paramLabel = "NAME=URL",
            description = "A link on each job's page, such as 'Logs=https://logs.example.com/?q={id}'; {id}, {kind},"
                    + " {queue}, {traceparent} and {header:NAME} are filled in. May be repeated.")
    private List<String> links = new ArrayList<>();

    @Option(
            names = "--also",
            paramLabel = "NAME[=URL]",
            description =
                    "Another database, shown by the same pages below /databases/NAME, with the table prefix and schema of"
                            + " the first. Without URL: the environment's PAWL_DB_NAME. May be repeated.")
    private List<String> also = new ArrayList<>();

    @Option(
            names = "--replica",
            paramLabel = "URL",
            description =
                    "A replica of the first database, from which its pages are read; changes go to the first database. Default:"
                            + " without --db and --only, the environment's PAWL_REPLICA, else none")
    private @Nullable String replica;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the first database beside those of --also. Default: that of the shard, else main")
    private @Nullable String name;

    /** The shards to show; empty without shards. */
    private List<ShardUrl> shown = List.of();

    @Mixin
    private AlertOptions alerts = new AlertOptions();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    /** Maximum bytes read from a file with a token, because a wrong name may refer to a file without an end, such as a device. */
    private static final int LONGEST_TOKEN = 4_096;

    /**
     * Chooses the dashboard's first database: the first shard that can be reached or, with a replica, the first one given, because the
     * replica belongs to that shard. The other shards are shown beside it, unless {@code --only} names one.
     */
    @Override
    public ShardUrl place(List<ShardUrl> shards) {
        if (!also.isEmpty()) {
            throw new UsageException("use --shard or --also, not both");
        }
        String only = database().only();
        shown = shards.stream()
                .filter(each -> only == null || each.name().equals(only))
                .toList();
        if (shown.isEmpty()) {
            return shards.get(0); // the caller refuses it, because --only names none of the shards
        }
        ShardUrl first = replicaUrl() != null || shown.size() == 1
                ? shown.get(0)
                : shown.stream()
                        .filter(DatabaseOptions::isReachable)
                        .findFirst()
                        .orElse(shown.get(0));
        if (name == null) {
            name = first.name();
        }
        shown.stream()
                .filter(each -> !each.equals(first))
                .map(each -> each.name() + "=" + each.url())
                .forEach(also::add);
        return first;
    }

    private @Nullable String replicaUrl() {
        boolean isElsewhere = database().isGiven() || database().only() != null;
        return replicaUrl(replica, isElsewhere ? null : System.getenv("PAWL_REPLICA"));
    }

    /** {@return the replica's URL; null for none} */
    static @Nullable String replicaUrl(@Nullable String given, @Nullable String environment) {
        if (given != null) {
            return given;
        }
        return environment == null || environment.isBlank() ? null : environment.strip();
    }

    private DatabaseOptions.Session openBeside(String other, String url) {
        return shown.stream()
                .filter(each -> each.name().equals(other))
                .findFirst()
                .map(each -> database().openBeside(each, CONNECTIONS))
                .orElseGet(() -> database().openBeside(url, CONNECTIONS));
    }

    @Override
    public Integer call() {
        InetSocketAddress address = Addresses.listen("--listen", listen);
        String first = Objects.requireNonNullElse(name, "main");
        String replicaUrl = replicaUrl();
        Map<String, String> besides = OtherDatabases.read("--also", also, first);
        if (metrics.isGiven() && !besides.isEmpty()) {
            throw new UsageException("--metrics-port shows the metrics of one database, so it does not go with --also:"
                    + " start a second 'pawl dashboard --metrics-port' for each database");
        }
        try (DatabaseOptions.Session session = database().openExisting(CONNECTIONS);
                MetricsServer measured = metrics.open();
                Alerts watching = alerts.areGiven() ? alerts.start(session.queue(), null) : null;
                DatabaseOptions.Session read =
                        replicaUrl == null ? null : database().openReplica(replicaUrl, CONNECTIONS);
                OtherDatabases others = OtherDatabases.open(besides, this::openBeside, this::warn);
                Dashboard dashboard = dashboard(first, session.queue(), read, others);
                DashboardServer server = start(dashboard, address, prefix)) {
            MetricsOptions.sample(measured, session.queue());
            report(
                    Map.of("url", url(address, server)),
                    "the dashboard is at " + url(address, server)
                            + (measured == null ? "" : "; metrics at " + measured.url())
                            + (watching == null ? "" : "; alerts go to the webhook"));
            out().flush();
            CountDownLatch end = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(end::countDown, "pawl-stop"));
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the user has requested the end
        }
        return 0;
    }

    private void warn(String warning) {
        err().println("pawl: warning: " + warning);
        err().flush();
    }

    private String url(InetSocketAddress address, DashboardServer server) {
        String host =
                address.getAddress().isLoopbackAddress() || address.getAddress().isAnyLocalAddress()
                        ? "localhost"
                        : address.getHostString();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port() + prefix + "/";
    }

    static DashboardServer start(Dashboard dashboard, InetSocketAddress address, String prefix) {
        try {
            return DashboardServer.start(dashboard, address, prefix);
        } catch (IOException e) {
            throw new UsageException(
                    "cannot listen on " + address + ": " + e.getMessage() + " (choose another port with --listen)");
        }
    }

    private Dashboard dashboard(
            String first, JobQueue queue, DatabaseOptions.@Nullable Session read, OtherDatabases others) {
        DashboardBuilder builder = Dashboard.on(queue)
                .name(first)
                .readOnly(readOnly)
                .hosts(hosts)
                .proxies(proxies)
                .samples(!noSamples);
        if (read != null) {
            builder.readsFrom(read.queue());
        }
        String token = token(tokenFile, "PAWL_DASHBOARD_TOKEN");
        if (token != null) {
            builder.token(Role.OPERATOR, token);
        }
        String readToken = token(readTokenFile, "PAWL_DASHBOARD_READ_TOKEN");
        if (readToken != null) {
            builder.token(Role.READ_ONLY, readToken);
        }
        String secret = token(secretFile, "PAWL_DASHBOARD_SECRET");
        if (secret != null) {
            builder.secret(secret);
        }
        links.forEach(builder::link);
        others.forEach(builder::database);
        return builder.build();
    }

    /** Reads a token from a file or a variable, never from the command line, which other users can read. */
    static @Nullable String token(@Nullable Path file, String variable) {
        if (file == null) {
            String given = System.getenv(variable);
            return given == null || given.isBlank() ? null : given.strip();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST_TOKEN), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UsageException("cannot read the token from " + file + ": " + e.getMessage());
        }
    }
}
