package dev.pawl.specification.faults;

import dev.pawl.specification.Pool;
import dev.pawl.specification.Stage;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;

/** A database whose calls may fail. */
public final class FaultyStage implements Stage {
    private final Stage stage;
    private final JdbcFaults faults;
    private final DataSource pool;

    public FaultyStage(Stage stage) {
        this.stage = stage;
        faults = new JdbcFaults(stage.pool());
        pool = faults.dataSource();
    }

    JdbcFaults faults() {
        return faults;
    }

    /** Fails over: the servers of all open connections become read-only. */
    void failOver() throws SQLException {
        ((Pool) stage.pool()).eachIdle(Failover::makeReadOnly);
    }

    /** Closes connections to the old server. */
    void allNew() throws SQLException {
        ((Pool) stage.pool()).closeIdle();
    }

    @Override
    public DataSource pool() {
        return pool;
    }

    @Override
    public void clock(Instant now) throws SQLException {
        stage.clock(now);
    }

    @Override
    public long statements() {
        return stage.statements();
    }

    @Override
    public String enqueueSql(
            String kind, String payload, String queue, int priority, long delaySeconds, int maxAttempts) {
        return stage.enqueueSql(kind, payload, queue, priority, delaySeconds, maxAttempts);
    }

    @Override
    public boolean remember() throws SQLException {
        return stage.remember();
    }

    @Override
    public void goBack() throws SQLException {
        stage.goBack();
    }

    @Override
    public void empty() throws SQLException {
        faults.disarm();
        stage.empty();
    }

    @Override
    public void close() throws SQLException {
        stage.close();
    }
}
