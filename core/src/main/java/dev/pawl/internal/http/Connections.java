package dev.pawl.internal.http;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a server, limited in number. At the limit, the oldest unauthenticated connection is closed to make room. If there
 * is none, the oldest idle one is closed, or else the one that has been reading its response for longest. Every phase except work has a
 * time limit. Thread-safe.
 */
final class Connections {
    private static final long HEAD = TimeUnit.SECONDS.toNanos(5);
    private static final long UNAUTHENTICATED = TimeUnit.SECONDS.toNanos(10);
    private static final long BODY = TimeUnit.SECONDS.toNanos(30);
    private static final long IDLE = TimeUnit.SECONDS.toNanos(30);
    private static final long RESPONSE = TimeUnit.SECONDS.toNanos(120);

    private final int places;
    private final Set<Place> open = new LinkedHashSet<>();

    Connections(int places) {
        this.places = places;
    }

    private enum Phase {
        /** Its caller is not authenticated, or not yet. */
        UNAUTHENTICATED,
        IDLE,
        RESPONSE,
        BODY,
        WORK
    }

    private static final List<Phase> EVICTED = List.of(Phase.UNAUTHENTICATED, Phase.IDLE, Phase.RESPONSE);

    /** An admitted connection. */
    static final class Place {
        private final Socket socket;
        private Phase phase = Phase.UNAUTHENTICATED;
        private long since = System.nanoTime();
        private long until = since + HEAD;

        private Place(Socket socket) {
            this.socket = socket;
        }

        Socket socket() {
            return socket;
        }

        private synchronized void enter(Phase next, long limit) {
            phase = next;
            since = System.nanoTime();
            until = since + limit;
        }

        /** Notes that the caller is not authenticated, or not yet. The connection can be evicted until that changes. */
        void unauthenticated() {
            enter(Phase.UNAUTHENTICATED, UNAUTHENTICATED);
        }

        /** Notes that the caller is authenticated, and sends the body of a request. */
        void body() {
            enter(Phase.BODY, BODY);
        }

        /** Notes that the request is being processed, without a time limit. */
        void work() {
            enter(Phase.WORK, 0);
        }

        /** Notes that the response is being written. */
        void response() {
            enter(Phase.RESPONSE, RESPONSE);
        }

        /** Notes that the response is written; another request may follow. */
        void idle() {
            enter(Phase.IDLE, IDLE);
        }

        private synchronized boolean is(Phase expected) {
            return phase == expected;
        }

        private synchronized long since() {
            return since;
        }

        private synchronized boolean isLate(long now) {
            return phase != Phase.WORK && now - until >= 0;
        }

        /**
         * Closes the socket at once. A TLS socket would first wait until a record in progress is sent, and then send a last record. A
         * linger time of zero prevents the wait.
         */
        private void close() {
            try {
                if (socket instanceof SSLSocket) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
            } catch (IOException e) {
                return; // unusable either way
            }
        }
    }

    /** {@return the admitted connection; null if there is no room, in which case the socket is closed} */
    synchronized @Nullable Place admit(Socket socket) {
        Place place = new Place(socket);
        if (open.size() >= places) {
            Optional<Place> evicted =
                    EVICTED.stream().flatMap(phase -> oldest(phase).stream()).findFirst();
            if (evicted.isEmpty()) {
                place.close();
                return null;
            }
            open.remove(evicted.get());
            evicted.get().close();
        }
        open.add(place);
        return place;
    }

    private Optional<Place> oldest(Phase phase) {
        return open.stream()
                .filter(place -> place.is(phase))
                .min((one, other) -> Long.compare(one.since() - other.since(), 0));
    }

    synchronized void leave(Place place) {
        open.remove(place);
    }

    void closeLate(long now) {
        all().stream().filter(place -> place.isLate(now)).forEach(Place::close);
    }

    void closeAll() {
        all().forEach(Place::close);
    }

    private synchronized List<Place> all() {
        return new ArrayList<>(open);
    }
}
