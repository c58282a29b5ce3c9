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

    /** Another server takes over, and those to which there are connections take no more writes. */
    void failOver() throws SQLException {
        ((Pool) stage.pool()).eachIdle(Failover::makeReadOnly);
    }

    /** Connections that are still to the old server end. */
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
