package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.DashboardBuilder;
import dev.pawl.dashboard.DashboardServer;
import dev.pawl.dashboard.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        description = {
            "Show the queue in a browser, and operate it, until it is stopped (Ctrl-C). Without a token it is for this machine",
            "only. Tokens may also be given by PAWL_DASHBOARD_TOKEN and PAWL_DASHBOARD_READ_TOKEN. See docs/dashboard.md."
        })
final class DashboardCommand extends CliCommand {
    private static final int CONNECTIONS = 5;

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            defaultValue = "8088",
            description =
                    "Where. Without HOST: this machine only; 0.0.0.0:PORT for every address. Port 0 for any free one."
                            + " Default: ${DEFAULT-VALUE}")
    private String listen = "8088";

    @Option(
            names = "--prefix",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Path below which it is, behind a proxy, such as /pawl. Default: none")
    private String prefix = "";

    @Option(
            names = "--host",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Names by which browsers reach it, such as pawl.example.com; needs a token. Default: localhost; any with a token")
    private String[] hosts = {};

    @Option(names = "--read-only", description = "Nobody may change anything.")
    private boolean readOnly;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token of those who may change things: 16 characters or more.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--read-token-file",
            paramLabel = "FILE",
            description = "File with the token of those who may look.")
    private @Nullable Path readTokenFile;

    @Override
    public Integer call() {
        InetSocketAddress address = Addresses.listen("--listen", listen);
        try (DatabaseOptions.Session session = database().openExisting(CONNECTIONS);
                DashboardServer server = start(dashboard(session.queue()), address, prefix)) {
            tell(Map.of("url", url(address, server)), "the dashboard is at " + url(address, server));
            out().flush();
            CountDownLatch end = new CountDownLatch(1);
            Thread onInterrupt = new Thread(end::countDown, "pawl-stop");
            Runtime.getRuntime().addShutdownHook(onInterrupt);
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever runs the program wants it to end
        }
        return 0;
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

    private Dashboard dashboard(JobQueue queue) {
        DashboardBuilder builder = Dashboard.on(queue).readOnly(readOnly).hosts(hosts);
        String token = token(tokenFile, "PAWL_DASHBOARD_TOKEN");
        if (token != null) {
            builder.token(Role.OPERATOR, token);
        }
        String readToken = token(readTokenFile, "PAWL_DASHBOARD_READ_TOKEN");
        if (readToken != null) {
            builder.token(Role.READ_ONLY, readToken);
        }
        return builder.build();
    }

    /** Never from the command line, which others can see. */
    private static @Nullable String token(@Nullable Path file, String variable) {
        if (file == null) {
            String given = System.getenv(variable);
            return given == null || given.isBlank() ? null : given.strip();
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UsageException("cannot read the token from " + file + ": " + e.getMessage());
        }
    }
}
