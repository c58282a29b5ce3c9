package dev.pawl.dashboard.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.DashboardServer;
import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.alert.Alerts;
import dev.pawl.dashboard.servlet.DashboardServlet;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The Java of docs/guides/dashboard.md and docs/reference/dashboard.md. */
class DashboardPageTest {
    @Test
    void aProgramShowsItsQueue() throws Exception {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            String token = "a-token-of-operators";
            String readToken = "a-token-of-readers";
            Dashboard dashboard = Dashboard.on(queue)
                    .token(Role.OPERATOR, token)
                    .token(Role.READ_ONLY, readToken)
                    .payloads(job -> job.payload().replaceAll("\"card\":\"[^\"]*\"", "\"card\":\"…\""))
                    .build();
            DashboardServer server = DashboardServer.start(dashboard, new InetSocketAddress("localhost", 0), "/pawl");
            assertThat(server.port()).isPositive();
            server.close();
        }
    }

    @Test
    void aProgramShowsSeveralDatabases() {
        try (TestDatabase first = TestServers.sqlite().createDatabase();
                TestDatabase second = TestServers.sqlite().createDatabase();
                HikariDataSource pool = first.newDataSource(2);
                HikariDataSource otherPool = second.newDataSource(2);
                JobQueue orders = JobQueue.open(pool);
                JobQueue invoices = JobQueue.open(otherPool)) {
            Dashboard dashboard = Dashboard.on(orders)
                    .name("orders")
                    .database("invoices", invoices)
                    .build();
            assertThat(dashboard.isOpen()).isTrue();
            dashboard.close();
        }
    }

    @Test
    void aProgramReadsFromAReplica() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                HikariDataSource replicaPool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            JobQueue replica = JobQueue.builder(replicaPool).readOnly(true).open();
            Dashboard dashboard = Dashboard.on(queue).readsFrom(replica).build();
            assertThat(dashboard.isOpen()).isTrue();
            dashboard.close();
            replica.close();
        }
    }

    @Test
    void programsReceiveAlerts() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            Alerts alerts = Alerts.on(queue)
                    .rule("oldest=PT10M")
                    .rule("no-worker")
                    .listener(alert -> System.out.println(alert.text()))
                    .start();
            assertThat(alerts).isNotNull();
            alerts.close();
        }
    }

    @Test
    void applicationsMountTheDashboard() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            DashboardServlet servlet = new DashboardServlet(Dashboard.on(queue).build(), request -> {
                if (request.getRemoteUser() == null) {
                    return null; // no access
                }
                Role role = request.isUserInRole("admin") ? Role.OPERATOR : Role.READ_ONLY;
                return new Viewer(request.getRemoteUser(), role);
            });
            assertThat(servlet).isNotNull();
        }
    }
}
