package dev.pawl.dashboard;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.dashboard.internal.api.Api;
import dev.pawl.dashboard.internal.change.BatchChanges;
import dev.pawl.dashboard.internal.change.Changes;
import dev.pawl.dashboard.internal.change.JobChanges;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.change.OtherChanges;
import dev.pawl.dashboard.internal.change.SelectedChanges;
import dev.pawl.dashboard.internal.page.Links;
import dev.pawl.dashboard.internal.page.Pages;
import dev.pawl.dashboard.internal.page.Templates;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.watch.Leader;
import dev.pawl.dashboard.internal.watch.PeriodicTask;
import dev.pawl.dashboard.internal.web.Access;
import dev.pawl.dashboard.internal.web.Databases;
import dev.pawl.dashboard.internal.web.HealthChecks;
import dev.pawl.dashboard.internal.web.Proxies;
import dev.pawl.dashboard.internal.web.RequestPipeline;
import dev.pawl.dashboard.internal.web.Routes;
import dev.pawl.spi.Series;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard of one or several queues: pages for people and a JSON API for programs, as a function from a request to a response. A
 * {@link DashboardServer} or a {@link dev.pawl.dashboard.servlet.DashboardServlet} serves it over HTTP. Thread-safe.
 *
 * <p>It queries the database on request. Requests share a result for ten times as long as its query took, but for no less than a second and
 * no more than a minute. In addition, one of the processes with a dashboard of the queue takes a sample every ten seconds ({@link
 * DashboardBuilder#samples}).
 */
public final class Dashboard implements AutoCloseable {
    private static final int PERMITS = 16;
    private static final int LONGEST_WAIT_SECONDS = 2;

    private final Semaphore permits = new Semaphore(PERMITS);
    private final RequestPipeline pipeline;
    private final Access access;
    private final Routes routes;
    private final Snapshots snapshots;
    private final boolean hasHosts;
    private final @Nullable PeriodicTask sampler;
    private final Proxies proxies;
    private final Databases databases;
    private final List<Dashboard> others;

    Dashboard(
            ShownQueue shown,
            Databases databases,
            List<Dashboard> others,
            Access access,
            Set<String> hosts,
            Proxies proxies,
            Payloads payloads,
            Links links,
            boolean samples) {
        this.databases = databases;
        this.others = List.copyOf(others);
        this.access = access;
        this.proxies = proxies;
        this.hasHosts = !hosts.isEmpty();
        this.routes = new Routes();
        JobQueue queue = shown.primary();
        this.snapshots = new Snapshots(shown.toRead(), queue);
        Changes changes = new Changes(routes, snapshots, databases);
        JobChanges.add(changes, queue, payloads, snapshots.isFromReplica());
        MatchingChanges.add(changes, queue, payloads);
        SelectedChanges.add(changes, queue);
        OtherChanges.add(changes, queue);
        BatchChanges.add(changes, queue);
        Api.add(routes, shown.toRead(), snapshots, payloads);
        Templates templates = new Templates(snapshots, !access.isOpen(), databases);
        Pages.add(routes, shown.toRead(), snapshots, payloads, links, templates);
        HealthChecks checks = new HealthChecks(() -> queue.admin().runs().log(0, Admin.UNLIMITED));
        this.pipeline = new RequestPipeline(access, hosts, databases, routes, checks, templates, changes::refused);
        String owner = Leader.next();
        this.sampler = samples
                ? PeriodicTask.start(
                        "sampling the queues", () -> queue.unwrap(Series.class).take(owner), Series.STEP)
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
     * Answers a request, even if it is malformed, hostile or refused; never throws.
     *
     * @param request as the server received it
     * @return the response to send
     */
    public Response handle(Request request) {
        return at(request, Dashboard::answer);
    }

    /** Passes a request to the part of the dashboard for the database in its path; each database has its own capacity. */
    private <T> T at(Request request, BiFunction<Dashboard, Request, T> action) {
        for (Dashboard other : others) {
            if (other.databases.isFor(request)) {
                return action.apply(other, other.databases.below(request));
            }
        }
        return action.apply(this, request);
    }

    private Response answer(Request request) {
        // Unauthenticated callers reach no database and take no capacity from authenticated ones.
        return RequestPipeline.isQuick(request) || !isAuthenticated(request)
                ? pipeline.answer(request)
                : withinCapacity(request);
    }

    /** {@return whether the sender is authenticated; the body may be omitted} */
    boolean isAuthenticated(Request request) {
        return at(request, (one, own) -> !RequestPipeline.isQuick(own) && one.pipeline.isAuthenticated(own));
    }

    /** {@return how many bytes of the body to read: none for an unauthenticated caller, except for its login} */
    int mostBytes(Request request) {
        return at(request, (one, own) -> RequestPipeline.isQuick(own) ? 0 : one.pipeline.mostBytes(own));
    }

    /** {@return the response to a request whose body was not read, or that exceeds the capacity} */
    Response refuse(Request request, int status, String message) {
        // Authentication is checked before the size of the body.
        return status == 413 && mostBytes(request) == 0
                ? handle(request)
                : at(request, (one, own) -> one.pipeline.refuse(own, status, message));
    }

    /** Limits the number of concurrent requests that query the database, so that further requests are refused if the database hangs. */
    private Response withinCapacity(Request request) {
        try {
            if (!permits.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return pipeline.refuse(
                        request, 503, "too many requests at once, or the database is slow: try again in a moment");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return pipeline.refuse(request, 503, "the dashboard ends");
        }
        try {
            return pipeline.answer(request);
        } finally {
            permits.release();
        }
    }

    /** Stops sampling the queues, so that another process can take over. Requests are still answered; the queues stay open. */
    @Override
    public void close() {
        if (sampler != null) {
            sampler.close();
        }
        snapshots.close();
        others.forEach(Dashboard::close);
    }

    /** {@return every method and path, for tests} */
    List<String> routes() {
        return routes.all();
    }

    /** {@return whether it accepts host names of other machines} */
    boolean hasHosts() {
        return hasHosts;
    }

    /** {@return the trusted proxies of the built-in server} */
    Proxies proxies() {
        return proxies;
    }

    /** {@return whether every caller is admitted because no token was set} */
    public boolean isOpen() {
        return access.isOpen();
    }
}
