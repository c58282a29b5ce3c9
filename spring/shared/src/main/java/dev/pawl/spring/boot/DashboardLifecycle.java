package dev.pawl.spring.boot;

import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.servlet.DashboardServlet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the dashboard when all beans exist, just before the web server takes requests, and closes it after the web server has stopped. The
 * container creates its servlets before the other beans. If a servlet needed the queue, it would force Spring to create the queue, its
 * {@code DataSource} and the beans that initialize the database too early. Thread-safe.
 */
final class DashboardLifecycle implements SmartLifecycle {
    /** Starts earlier than the web server, whose phase is the default minus 2048, and the worker, whose phase is the default. */
    static final int PHASE = DEFAULT_PHASE - 4096;

    private final Supplier<Dashboard> dashboard;
    private final DashboardViewers viewers;
    private volatile @Nullable DashboardServlet opened;

    /**
     * @param dashboard the bean, created by the first call
     * @param viewers finds the user of a request
     */
    DashboardLifecycle(Supplier<Dashboard> dashboard, DashboardViewers viewers) {
        this.dashboard = dashboard;
        this.viewers = viewers;
    }

    /** {@return the servlet that answers requests; null before the start and after the stop} */
    @Nullable
    DashboardServlet servlet() {
        return opened;
    }

    @Override
    public void start() {
        opened = new DashboardServlet(dashboard.get(), viewers);
    }

    /** Spring destroys the {@code Dashboard} bean later, but before the queue. */
    @Override
    public void stop() {
        opened = null;
    }

    @Override
    public boolean isRunning() {
        return opened != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
