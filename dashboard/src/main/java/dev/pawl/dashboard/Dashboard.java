package dev.pawl.dashboard;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.internal.api.Api;
import dev.pawl.dashboard.internal.change.Changes;
import dev.pawl.dashboard.internal.change.JobChanges;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.change.OtherChanges;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.page.Pages;
import dev.pawl.dashboard.internal.page.Templates;
import dev.pawl.dashboard.internal.web.Access;
import dev.pawl.dashboard.internal.web.Checks;
import dev.pawl.dashboard.internal.web.Door;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Set;

/**
 * The dashboard of a queue: pages for people and a JSON API for programs, as a function from a request to a response. A
 * {@link DashboardServer} or a {@link dev.pawl.dashboard.servlet.DashboardServlet} brings it to the network. Thread-safe.
 *
 * <p>It asks the database only when somebody looks: the same look is shared for a second, or for ten times as long as it took.
 */
public final class Dashboard {
    private final Door door;
    private final Access access;
    private final Routes routes;
    private final boolean hasHosts;

    Dashboard(JobQueue queue, Access access, Set<String> hosts, Payloads payloads) {
        this.access = access;
        this.hasHosts = !hosts.isEmpty();
        this.routes = new Routes();
        Looks looks = new Looks(queue);
        Changes changes = new Changes(routes, looks);
        JobChanges.add(changes, queue, payloads);
        MatchingChanges.add(changes, queue, payloads);
        OtherChanges.add(changes, queue);
        Api.add(routes, queue, looks, payloads);
        Templates templates = new Templates(!access.isOpen());
        Pages.add(routes, queue, looks, payloads, templates);
        this.door = new Door(access, hosts, routes, new Checks(looks::schedules), templates);
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
        return door.answer(request);
    }

    /** {@return every method and path, for tests that try them all} */
    List<String> routes() {
        return routes.all();
    }

    /** {@return whether it answers to names of other machines} */
    boolean hasHosts() {
        return hasHosts;
    }

    /** {@return whether anybody who reaches it is let in, because no token was set} */
    public boolean isOpen() {
        return access.isOpen();
    }
}
