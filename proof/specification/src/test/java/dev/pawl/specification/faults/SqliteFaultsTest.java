package dev.pawl.specification.faults;

import dev.pawl.specification.SqliteStage;
import dev.pawl.specification.Stage;
import dev.pawl.specification.faults.EngineError.Driver;
import java.sql.SQLException;
import java.util.Set;

class SqliteFaultsTest extends FaultsTest {
    @Override
    Stage open() throws SQLException {
        return new SqliteStage();
    }

    @Override
    long programs() {
        return 25;
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.values());
    }
}
