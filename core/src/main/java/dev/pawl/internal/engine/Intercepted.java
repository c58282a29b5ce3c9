package dev.pawl.internal.engine;

import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import java.util.List;

/**
 * A handler's call with an interceptor around it.
 *
 * @param interceptor called first
 * @param inner the next interceptor's call, or the handler's own
 */
record Intercepted(RunInterceptor interceptor, Handlers.Call inner) implements Handlers.Call {
    /** {@return the call with all interceptors around it, the first one outermost} */
    static Handlers.Call by(List<RunInterceptor> interceptors, Handlers.Call call) {
        Handlers.Call all = call;
        for (int i = interceptors.size() - 1; i >= 0; i--) {
            all = new Intercepted(interceptors.get(i), all);
        }
        return all;
    }

    @Override
    public Outcome handle(String payload, JobRun run) throws Exception {
        Rest rest = new Rest(inner, payload, run);
        Outcome outcome;
        try {
            outcome = interceptor.intercept(run, rest);
        } finally {
            rest.once.finish();
        }
        Object returned = outcome; // a program without null checks may return null
        if (returned == null) {
            throw new IllegalStateException(
                    "the interceptor " + interceptor.getClass().getName()
                            + " returned null for a job of kind '" + run.job().kind()
                            + "': return what proceed() returned, or another Outcome");
        }
        return outcome;
    }

    /** The rest of the interceptor chain for one run. */
    private static final class Rest implements RunInterceptor.Handling {
        private final Handlers.Call inner;
        private final String payload;
        private final JobRun run;
        private final Once once = new Once();

        Rest(Handlers.Call inner, String payload, JobRun run) {
            this.inner = inner;
            this.payload = payload;
            this.run = run;
        }

        @Override
        public Outcome proceed() throws Exception {
            once.begin();
            return OutcomePolicy.present(inner.handle(payload, run), run.job());
        }
    }
}
