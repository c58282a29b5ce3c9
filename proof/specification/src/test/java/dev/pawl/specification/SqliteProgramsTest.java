package dev.pawl.specification;

import java.sql.SQLException;

class SqliteProgramsTest extends ProgramsTest {
    @Override
    Stage open() throws SQLException {
        return new SqliteStage();
    }
}
