package dev.pawl.dashboard;

import dev.pawl.JobQueue;
import dev.pawl.admin.Series;
import dev.pawl.dashboard.internal.api.Api;
import dev.pawl.dashboard.internal.change.BatchChanges;
import dev.pawl.dashboard.internal.change.Changes;
import dev.pawl.dashboard.internal.change.JobChanges;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.change.OtherChanges;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.page.Links;
import dev.pawl.dashboard.internal.page.Pages;
import dev.pawl.dashboard.internal.page.Templates;
import dev.pawl.dashboard.internal.watch.Loop;
import dev.pawl.dashboard.internal.watch.Owner;
import dev.pawl.dashboard.internal.web.Access;
import dev.pawl.dashboard.internal.web.Checks;
import dev.pawl.dashboard.internal.web.Door;
import dev.pawl.dashboard.internal.web.Proxies;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard of a queue: pages for people and a JSON API for programs, as a function from a request to a response. A
 * {@link DashboardServer} or a {@link dev.pawl.dashboard.servlet.DashboardServlet} brings it to the network. Thread-safe.
 *
 * <p>It asks the database when somebody looks: the same look is shared for a second, or for ten times as long as it took. Besides, one
 * process of all that show the queue samples it every ten seconds ({@link DashboardBuilder#samples}).
 */
public final class Dashboard implements AutoCloseable {
    private static final int PLACES = 16;
    private static final int LONGEST_WAIT_SECONDS = 2;

    private final Semaphore places = new Semaphore(PLACES);
    private final Door door;
    private final Access access;
    private final Routes routes;
    private final Looks looks;
    private final boolean hasHosts;
    private final @Nullable Loop sampler;
    private final Proxies proxies;

    Dashboard(
            JobQueue queue,
            Access access,
            Set<String> hosts,
            Proxies proxies,
            Payloads payloads,
            Links links,
            boolean samples) {
        this.access = access;
        this.proxies = proxies;
        this.hasHosts = !hosts.isEmpty();
        this.routes = new Routes();
        this.looks = new Looks(queue);
        Changes changes = new Changes(routes, looks);
        JobChanges.add(changes, queue, payloads);
        MatchingChanges.add(changes, queue, payloads);
        OtherChanges.add(changes, queue);
        BatchChanges.add(changes, queue);
        Api.add(routes, queue, looks, payloads);
        Templates templates = new Templates(!access.isOpen());
        Pages.add(routes, queue, looks, payloads, links, templates);
        Checks checks = new Checks(() -> queue.admin().log(0));
        this.door = new Door(access, hosts, routes, checks, templates, Changes::refused);
        String owner = Owner.next();
        this.sampler = samples
                ? Loop.start("sampling the queues", () -> queue.admin().series().take(owner), Series.STEP)
                : null;
    }

    /**
     * @param queue to show; it stays open
     * @return a builder
     */
    public static DashboardBuilder on(JobQueue queue) {
        return new DashboardBuilder(queue);
    }

    /**
     * Answers a request, also one that is malformed, hostile or refused; never throws.
     *
     * @param request as the server got it
     * @return what to send
     */
    public Response handle(Request request) {
        // Who is not authenticated gets nothing from the database, and takes no place of those who do.
        return Door.isQuick(request) || !isAuthenticated(request) ? door.answer(request) : inTurn(request);
    }

    /** {@return whether it is known who sends this; its body may be left out} */
    boolean isAuthenticated(Request request) {
        return !Door.isQuick(request) && door.isAuthenticated(request);
    }

    /** {@return how much of the body is to be read: nothing of a caller that is not authenticated, but for its login} */
    int mostBytes(Request request) {
        return Door.isQuick(request) ? 0 : door.mostBytes(request);
    }

    /** {@return the answer to a request whose body was not read, or that comes while there is no place for it} */
    Response refuse(Request request, int status, String message) {
        // Before the size of the body comes who sends it.
        return status == 413 && mostBytes(request) == 0 ? handle(request) : door.refuse(request, status, message);
    }

    /** If the database hangs, so do those who ask it, and others are told. */
    private Response inTurn(Request request) {
        try {
            if (!places.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return door.refuse(
                        request, 503, "too many requests at once, or the database is slow: try again in a moment");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return door.refuse(request, 503, "the dashboard ends");
        }
        try {
            return door.answer(request);
        } finally {
            places.release();
        }
    }

    /** Samples the queues no more, and lets another process do so. Requests are answered as before; the queue stays open. */
    @Override
    public void close() {
        if (sampler != null) {
            sampler.close();
        }
        looks.close();
    }

    /** {@return every method and path, for tests that try them all} */
    List<String> routes() {
        return routes.all();
    }

    /** {@return whether it answers to names of other machines} */
    boolean hasHosts() {
        return hasHosts;
    }

    /** {@return the proxies before a server of its own} */
    Proxies proxies() {
        return proxies;
    }

    /** {@return whether anybody who reaches it is let in, because no token was set} */
    public boolean isOpen() {
        return access.isOpen();
    }
}
