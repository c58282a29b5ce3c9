package dev.pawl.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which processes' CPU time counts as the server's. */
class ServerLocationTest {
    @Test
    void localServersAreFoundByPort() throws Exception {
        assumeThat(Path.of("/proc/self/fd")).isDirectory();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ServerLocation.of(
                            "mysql", "jdbc:mysql://user@127.0.0.1:" + server.getLocalPort() + "/jobs?password=x"))
                    .isEqualTo(new ServerLocation(ServerLocation.Place.LOCAL, List.of(ProcessHandle.current())));
        }
    }

    @Test
    void serversOnOtherMachinesAreRemote() {
        // an address reserved for documentation
        assertThat(ServerLocation.of("postgresql", "jdbc:postgresql://192.0.2.1/jobs")
                        .place())
                .isEqualTo(ServerLocation.Place.REMOTE);
    }

    @Test
    void unfoundServersAreUnknown() {
        assertThat(ServerLocation.of("mariadb", "jdbc:mariadb://127.0.0.1:1/jobs")
                        .place())
                .isEqualTo(ServerLocation.Place.UNKNOWN);
        assertThat(ServerLocation.of("mariadb", "jdbc:mariadb://127.0.0.1:3306,127.0.0.1:3307/jobs")
                        .place())
                .isEqualTo(ServerLocation.Place.UNKNOWN);
    }
}
