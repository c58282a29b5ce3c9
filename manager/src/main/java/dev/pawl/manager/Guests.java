package dev.pawl.manager;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of an endpoint, limited in number: when all places are taken, the connection that has been a
 * stranger for longest makes room, then the one that has been idle for longest. Every phase except work has a time
 * limit. Thread-safe.
 */
final class Guests {
    private static final int PLACES = 256;
    private static final long HEAD = TimeUnit.SECONDS.toNanos(5);
    private static final long BODY = TimeUnit.SECONDS.toNanos(30);
    private static final long IDLE = TimeUnit.SECONDS.toNanos(30);

    private final int places;
    private final Set<Guest> present = new LinkedHashSet<>();

    Guests() {
        this(PLACES);
    }

    Guests(int places) {
        this.places = places;
    }

    private enum Phase {
        STRANGER,
        TRUSTED,
        WORKING,
        IDLE
    }

    /** A connection. */
    static final class Guest {
        private final Socket socket;
        private Phase phase = Phase.STRANGER;
        private long until = System.nanoTime() + HEAD;

        private Guest(Socket socket) {
            this.socket = socket;
        }

        Socket socket() {
            return socket;
        }

        private synchronized void enter(Phase next, long limit) {
            phase = next;
            until = System.nanoTime() + limit;
        }

        /** It has shown the secret, and sends its body. */
        void trusted() {
            enter(Phase.TRUSTED, BODY);
        }

        /** Its call is being answered, however long that takes. */
        void working() {
            enter(Phase.WORKING, 0);
        }

        /** Its call was answered; another may come. */
        void idle() {
            enter(Phase.IDLE, IDLE);
        }

        private synchronized boolean is(Phase asked) {
            return phase == asked;
        }

        private synchronized boolean isLate(long now) {
            return phase != Phase.WORKING && now - until >= 0;
        }

        private void close() {
            try {
                socket.close();
            } catch (IOException e) {
                return; // it is of no use either way
            }
        }
    }

    /** {@return the connection's place; null if there is none, and the connection is closed} */
    synchronized @Nullable Guest admit(Socket socket) {
        Guest guest = new Guest(socket);
        if (present.size() >= places) {
            Optional<Guest> leaving = first(Phase.STRANGER).or(() -> first(Phase.IDLE));
            if (leaving.isEmpty()) {
                guest.close();
                return null;
            }
            present.remove(leaving.get());
            leaving.get().close();
        }
        present.add(guest);
        return guest;
    }

    private Optional<Guest> first(Phase phase) {
        return present.stream().filter(guest -> guest.is(phase)).findFirst();
    }

    synchronized void leave(Guest guest) {
        present.remove(guest);
    }

    void closeLate(long now) {
        all().stream().filter(guest -> guest.isLate(now)).forEach(Guest::close);
    }

    void closeAll() {
        all().forEach(Guest::close);
    }

    private synchronized List<Guest> all() {
        return new ArrayList<>(present);
    }
}
