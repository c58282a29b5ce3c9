package dev.pawl.lab.run;

import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of the lab, in a temporary folder. */
abstract class LabRuns {
    /** Resource lock for tests that read or change global state of the server. */
    static final String MARIADB = "the embedded MariaDB";

    @TempDir
    Path folder = Path.of(".");

    static Matrix matrix(
            List<String> databases,
            List<String> systems,
            int processes,
            Measure measure,
            List<Disturbance> disturbances) {
        return new Matrix(
                databases,
                systems,
                List.of(4),
                List.of(processes),
                List.of(200),
                List.of(0),
                List.of(60),
                List.of(0),
                List.of(measure),
                disturbances,
                false,
                List.of(100),
                1);
    }

    final Lab lab(String file, int rounds, Matrix... matrices) throws Exception {
        return lab(file, rounds, 0, matrices);
    }

    final Lab lab(String file, int rounds, int settleSeconds, Matrix... matrices) throws Exception {
        return Lab.of(folder.resolve(file), "test", List.of(matrices), rounds, 20, 500, 1000, 2000, 1, settleSeconds);
    }

    static final Lab.Watcher NOBODY = new Lab.Watcher() {
        @Override
        public void doing(int done, int all, String what) {}

        @Override
        public void done(int done, int all, Trial trial) {}
    };
}
