package dev.pawl.spring.boot;

import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.servlet.DashboardServlet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Opens the dashboard when all beans exist, just before the web server takes requests, and closes it after the web server has stopped. The
 * container creates its servlets before the beans, so a servlet that needed the queue would create the queue, its {@code DataSource} and
 * all that initializes the database before their turn. Thread-safe.
 */
final class DashboardLifecycle implements SmartLifecycle {
    /** The web server is at 2048 below the default, the worker at the default. */
    static final int PHASE = DEFAULT_PHASE - 4096;

    private final Supplier<Dashboard> dashboard;
    private final DashboardViewers viewers;
    private volatile @Nullable DashboardServlet opened;

    /**
     * @param dashboard the bean, created by the first call
     * @param viewers its users
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

    /** The bean is destroyed later, before the queue. */
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
