package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.JobQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Without pawl-spring, Spring's proxy is refused before anything is read or written. */
class UnsupportedProxyTest {
    /** Wraps a pool as an observing or lazy proxy does. */
    public static final class Wrapper extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;
        private final transient DataSource target;

        Wrapper(DataSource target) {
            this.target = target;
        }

        /** {@return the pool behind it} */
        public DataSource getTargetDataSource() {
            return target;
        }
    }

    private final DataSource proxy = new TransactionAwareDataSourceProxy(new PGSimpleDataSource());

    @Test
    void aQueueIsNotOpenedWithTheProxy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobQueue.open(proxy))
                .withMessageContaining("add dev.pawl:pawl-spring");
    }

    @Test
    void norWithAWrapperOfIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobQueue.open(new Wrapper(new Wrapper(proxy))))
                .withMessageContaining("add dev.pawl:pawl-spring");
    }
}
