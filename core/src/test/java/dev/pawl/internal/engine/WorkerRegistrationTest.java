package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.DatabaseException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkerRegistrationTest extends PartsFixture {
    private final WorkerRegistration registration = parts().registration;

    @Test
    void aWorkerWritesItsRowOnceWhenItIsFirstNeeded() throws Exception {
        registration.stopped();
        assertThat(store.calls("stopped")).isZero();
        assertThat(registration.getAsLong()).isEqualTo(1);
        assertThat(registration.getAsLong()).isEqualTo(1);
        registration.heartbeat();
        registration.stopped();
        assertThat(store.calls("register")).isEqualTo(1);
        assertThat(store.calls("heartbeat")).isEqualTo(1);
        assertThat(store.calls("stopped")).isEqualTo(1);
    }

    @Test
    void aDatabaseThatIsAwayIsAskedAgain() {
        store.fail("register", 1, FakeStore.away());
        assertThatThrownBy(registration::getAsLong)
                .isInstanceOfSatisfying(
                        DatabaseException.class,
                        e -> assertThat(e.isTransient()).isTrue());
        assertThat(registration.getAsLong()).isEqualTo(1);
    }

    /** A second thread tests it, because a stuck lock would block only other threads. */
    @Test
    void aThreadThatFailedLetsAnotherOneTry() throws Exception {
        store.fail("register", 1, FakeStore.away());
        assertThatThrownBy(registration::getAsLong).isInstanceOf(DatabaseException.class);
        AtomicLong id = new AtomicLong();
        Thread other = new Thread(() -> id.set(registration.getAsLong()));
        other.setDaemon(true);
        other.start();
        EngineFixture.await(() -> id.get() == 1);
    }
}
