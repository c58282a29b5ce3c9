package dev.pawl.specification;

import java.sql.SQLException;

/** Programs of two releases start and stop. */
enum ReleaseStep implements Op {
    START_1 {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.releases.start(1);
        }
    },
    START_2 {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.releases.start(2);
        }
    },
    STOP_FIRST {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.releases.stop(true);
        }
    },
    STOP_LAST {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.releases.stop(false);
        }
    };

    @Override
    public String toString() {
        return "ReleaseStep." + name();
    }
}
