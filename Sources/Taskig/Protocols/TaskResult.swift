/// What a throwing task ends with: its value or its error.
public typealias TaskResult<Value> = Result<Value, any Error>
