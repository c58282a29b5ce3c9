package dev.pawl.quarkus;

import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.annotations.Recorder;
import java.util.Map;

/** What the build passes to the application. */
@Recorder
public class PawlRecorder {
    /**
     * {@return the beans with handlers}
     *
     * @param classes of the beans, by the identifiers of the beans
     */
    public RuntimeValue<HandlerBeans> handlers(Map<String, Class<?>> classes) {
        return new RuntimeValue<>(new HandlerBeans(classes));
    }
}
