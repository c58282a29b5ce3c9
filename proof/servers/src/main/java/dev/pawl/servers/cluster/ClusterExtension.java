package dev.pawl.servers.cluster;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts a cluster for a test class, and stops it afterwards. The tests use the nodes like one server. Their connections go to all nodes in
 * turn, or to the only node that takes writes. Skips the class where the cluster cannot be started.
 */
public final class ClusterExtension implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ClusterExtension.class);
    private static final int NO_TIMEOUT = 0;

    private final ClusterKind kind;
    private @Nullable TestServer server;

    /** @param kind to start */
    public ClusterExtension(ClusterKind kind) {
        this.kind = kind;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        kind.assume();
        Cluster cluster = context.getStore(NAMESPACE).computeIfAbsent(Cluster.class, key -> start(), Cluster.class);
        kind.awaitMembers(cluster);
        kind.actLikeOneServer(cluster);
        server = TestServers.running(kind.product(), kind.urlForTests(cluster, NO_TIMEOUT));
    }

    private Cluster start() {
        try {
            return kind.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return all nodes, as one server} */
    public TestServer server() {
        if (server == null) {
            throw new IllegalStateException("the cluster has not been started");
        }
        return server;
    }
}
