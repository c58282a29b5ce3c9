package dev.pawl.specification.faults;

import dev.pawl.specification.SqliteStage;
import dev.pawl.specification.Stage;
import java.sql.SQLException;

class SqliteFaultsTest extends FaultsTest {
    @Override
    Stage open() throws SQLException {
        return new SqliteStage();
    }

    @Override
    long programs() {
        return 25;
    }
}
