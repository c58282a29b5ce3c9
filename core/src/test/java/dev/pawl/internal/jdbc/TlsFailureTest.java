package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses the current messages of the drivers. */
class TlsFailureTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Trying to connect with ssl, but ssl not enabled in the server. TLS is enabled by default | sslMode=disable
            SSL Connection required, but not provided by server.                                      | sslMode=DISABLED
            The server does not support SSL.                                                         | sslmode=disable
            Cannot use authentication plugin caching_sha2_password with a Self signed certificates.  | sslMode=trust
            """)
    void theCureIsInTheWordsOfTheDriver(String said, String cure) {
        SQLException error = new SQLNonTransientConnectionException(said, "08000", -1);
        assertThat(TlsFailure.advice(error)).contains("the server runs").contains(cure);
        assertThat(TlsFailure.advice(new SQLTransientConnectionException("pool - not available, timed out", error)))
                .contains(cure);
    }

    @Test
    void aCertificateThatIsNotTrusted() {
        SQLException error = new SQLException("Communications link failure", new SSLHandshakeException("path"));
        assertThat(TlsFailure.advice(error)).contains("does not trust its certificate");
    }

    @Test
    void otherErrorsHaveNone() {
        assertThat(TlsFailure.advice(new SQLException("Connection refused", "08001")))
                .isNull();
    }
}
