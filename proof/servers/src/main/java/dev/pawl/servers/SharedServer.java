package dev.pawl.servers;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that starts on first use. If it cannot, every caller gets the cause, not only the first. */
final class SharedServer {
    private final Supplier<TestServer> starter;
    private @Nullable TestServer server;
    private @Nullable RuntimeException failure;

    SharedServer(Supplier<TestServer> starter) {
        this.starter = starter;
    }

    synchronized TestServer get() {
        if (failure != null) {
            throw new ServerException("the shared server could not be started: " + failure.getMessage(), failure);
        }
        if (server == null) {
            try {
                server = starter.get();
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            }
        }
        return server;
    }
}
