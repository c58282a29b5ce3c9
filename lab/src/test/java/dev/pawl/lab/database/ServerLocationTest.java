package dev.pawl.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose CPU time is the server's. */
class HousingTest {
    @Test
    void aServerOfThisMachineIsFoundByItsPort() throws Exception {
        assumeThat(Path.of("/proc/self/fd")).isDirectory();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Housing.of("mysql", "jdbc:mysql://user@127.0.0.1:" + server.getLocalPort() + "/jobs?password=x"))
                    .isEqualTo(new Housing(Housing.Place.HERE, List.of(ProcessHandle.current())));
        }
    }

    @Test
    void aServerOfAnotherMachineIsElsewhere() {
        // an address for documentation, of no machine
        assertThat(Housing.of("postgresql", "jdbc:postgresql://192.0.2.1/jobs").place())
                .isEqualTo(Housing.Place.ELSEWHERE);
    }

    @Test
    void whatIsNotFoundIsUnknown() {
        assertThat(Housing.of("mariadb", "jdbc:mariadb://127.0.0.1:1/jobs").place())
                .isEqualTo(Housing.Place.UNKNOWN);
        assertThat(Housing.of("mariadb", "jdbc:mariadb://127.0.0.1:3306,127.0.0.1:3307/jobs")
                        .place())
                .isEqualTo(Housing.Place.UNKNOWN);
    }
}
